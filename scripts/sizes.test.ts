import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { initialScripts } from '../bench/sizes'
import { MAX_SCRIPT_BYTES } from './tools/size-limits'

test('the home page loads under 150 KB of gzipped script', () => {
  const bytes = initialScripts().reduce((sum, file) => sum + gzipSync(readFileSync(`dist/client/${file}`)).length, 0)
  expect(bytes).toBeGreaterThan(MAX_SCRIPT_BYTES / 3)
  expect(bytes).toBeLessThan(MAX_SCRIPT_BYTES)
})

test('does not publish the build manifest', () => {
  expect(() => readFileSync('dist/client/manifest.json')).toThrow()
  expect(JSON.parse(readFileSync('dist/manifest.json', 'utf8'))).toHaveProperty(['web/main.tsx'])
})
