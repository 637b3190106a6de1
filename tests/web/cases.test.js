/** `node --test tests/web`: every case file, without a browser. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { answer, MODULES } from './drive.js';

const mods = Object.fromEntries(await Promise.all(MODULES.map(async (name) => [name, await import(`../../src/waterglass/web/${name}.js`)])));
const folder = new URL('./cases/', import.meta.url);
for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
  for (const testCase of JSON.parse(readFileSync(new URL(file, folder), 'utf8'))) {
    test(`${file.slice(0, -5)}: ${testCase.description}`, () => assert.deepEqual(answer(mods, testCase), testCase.expected));
  }
}
