/** Where the page gets its data: the server, or the report that it stands in. One interface for both. */
import { reportSource } from '#sourcereport';
import { serverSource } from '#sourceserver';

/**
 * @typedef {{report: boolean, sessions: (after: number|null, first?: number|null) => Promise<any>, payload: (id: string) => Promise<any>,
 *   row: (id: string, index: number, rowId: string) => Promise<any>, reply: (id: string, replyId: string) => Promise<any>,
 *   prompt: (id: string, uuid: string) => Promise<any>, scorecard?: (id: string) => Promise<any>,
 *   find?: (id: string, texts: string[], from: string|null) => Promise<any>,
 *   reportFile?: (id: string, level: string) => Promise<{name: string, blob: Blob}>, drop?: (file: File) => Promise<string>,
 *   changes?: (id: string, state: string) => EventSource, search?: (asked: Record<string, string|number|null>, stop: AbortSignal) => Promise<any>,
 *   stats?: (asked: Record<string, string|number|null>, stop: AbortSignal) => Promise<any>}} Source
 *   `scorecard` is absent where the payload holds it, `changes` where nothing changes, `search` and `stats` where there is one session
 */

/** @returns {Source} */
export function openSource() {
  return document.getElementById('wg-head') ? reportSource() : serverSource();
}
