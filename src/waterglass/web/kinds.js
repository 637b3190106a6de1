/** What a call is drawn as: its kind gives the colour, its outcome the glyph. */

export const KINDS = ['agent', 'bash', 'read', 'edit', 'search', 'web', 'mcp', 'other'];

const BY_TOOL = new Map(
  Object.entries({
    Task: 'agent',
    Agent: 'agent',
    Workflow: 'agent',
    Bash: 'bash',
    BashOutput: 'bash',
    KillShell: 'bash',
    KillBash: 'bash',
    PowerShell: 'bash',
    Monitor: 'bash',
    Read: 'read',
    NotebookRead: 'read',
    LS: 'read',
    View: 'read',
    ReadMcpResource: 'read',
    Edit: 'edit',
    MultiEdit: 'edit',
    Write: 'edit',
    NotebookEdit: 'edit',
    Replace: 'edit',
    Grep: 'search',
    Glob: 'search',
    ToolSearch: 'search',
    LSP: 'search',
    WebFetch: 'web',
    WebSearch: 'web',
  }),
);

export const OUTCOMES = ['ok', 'error', 'rejected', 'blocked', 'interrupted', 'no_result', 'running'];

const GLYPHS = new Map(
  Object.entries({
    ok: '',
    error: '\u2715',
    rejected: '\u2298',
    blocked: '\u2298',
    interrupted: '\u25a0',
    no_result: '\u25cb',
    running: '\u25b6',
  }),
);

/**
 * @param {string} toolName @param {string|null} type the row's type, "agent" or "tool"
 * @returns {string} one of KINDS
 */
export function kindOf(toolName, type) {
  if (type === 'agent') return 'agent';
  if (toolName.startsWith('mcp__')) return 'mcp';
  return BY_TOOL.get(toolName) ?? 'other';
}

/** The words of the Type column: `Bash`, `github create_issue`. @param {string} toolName @param {string} kind */
export function typeWords(toolName, kind) {
  if (kind !== 'mcp') return toolName;
  return toolName
    .slice(5)
    .replace(/^plugin_/, '')
    .replace('__', ' ');
}

/** @param {string} outcome @returns {string} a sign, empty for ok */
export const glyphOf = (outcome) => GLYPHS.get(outcome) ?? '?';

/** @param {string} outcome */
export const outcomeWords = (outcome) => (outcome === 'no_result' ? 'no result' : outcome);
