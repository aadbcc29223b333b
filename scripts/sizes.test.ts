import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { initialScripts } from '../bench/start'

const KB = 1024

test('the home page loads under 150 KB of gzipped script', () => {
  const bytes = initialScripts().reduce((sum, file) => sum + gzipSync(readFileSync(`dist/client/${file}`)).length, 0)
  expect(bytes).toBeGreaterThan(50 * KB)
  expect(bytes / KB).toBeLessThan(150)
})

test('does not publish the build manifest', () => {
  expect(() => readFileSync('dist/client/manifest.json')).toThrow()
  expect(JSON.parse(readFileSync('dist/manifest.json', 'utf8'))).toHaveProperty(['web/main.tsx'])
})
