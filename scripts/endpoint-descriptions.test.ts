import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { endpoints } from '../worker/contract'

// `npm run docs:permissions` rewrites the file.
const METHODS: Readonly<Record<string, string>> = {
  get: 'GET',
  post: 'POST',
  patch: 'PATCH',
  del: 'DELETE',
  upload: 'POST',
}
const DEFINITION = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\w+: (get|post|patch|del|upload)\(\s*'([^']+)'/g

/** The comments above endpoint definitions by `METHOD path`. */
function endpointDescriptions(): Record<string, string> {
  const folder = 'worker/contract'
  const found = readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(DEFINITION)])
    .map(([, comment = '', name = '', path]): [string, string] => [
      `${METHODS[name]} ${path}`,
      comment.replace(/\s*\n\s*\*\s?/g, ' ').trim(),
    ])
  return Object.fromEntries(found.sort(([a], [b]) => a.localeCompare(b)))
}

test('describes endpoints with the comments of the contract', async () => {
  const known = endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(endpointDescriptions()).filter((key) => !known.includes(key))).toEqual([])
  await expect(`${JSON.stringify(endpointDescriptions(), null, 2)}\n`).toMatchFileSnapshot(
    '../worker/developers/endpoint-descriptions.json',
  )
})
