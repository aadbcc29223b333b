import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GUIDE_SCREENS, screenshotFile } from './tools/guide-screens'

const FOLDER = 'docs/screens'
const MAX_IMAGE_BYTES = 150_000
const MAX_TOTAL_BYTES = 3_000_000
const IMAGE_MARKDOWN = /!\[(?<alt>[^\]]*)\]\(screens\/(?<file>[^)]+)\)/g
const guide = readFileSync('docs/admin-guide.md', 'utf8')
const guideImages = [...guide.matchAll(IMAGE_MARKDOWN)].map(({ groups }) => ({
  alt: groups?.alt ?? '',
  file: groups?.file ?? '',
}))

test('the guide shows every screenshot that the script takes', () => {
  expect(guideImages.map(({ file }) => file).toSorted()).toEqual(
    GUIDE_SCREENS.map(({ id }) => screenshotFile(id)).toSorted(),
  )
})

test('each screenshot of the guide has its own alt text', () => {
  for (const { alt } of guideImages) expect(alt).toMatch(/^[A-Z].{20,200}$/)
  expect(new Set(guideImages.map(({ alt }) => alt)).size).toBe(guideImages.length)
})

test('screenshots of the docs stay within their size limits', () => {
  const sizes = readdirSync(FOLDER).map((file) => [file, statSync(join(FOLDER, file)).size] as const)
  expect(sizes.map(([file]) => file)).toEqual(expect.arrayContaining(guideImages.map(({ file }) => file)))
  expect(sizes.filter(([, size]) => size > MAX_IMAGE_BYTES)).toEqual([])
  expect(sizes.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(MAX_TOTAL_BYTES)
})
