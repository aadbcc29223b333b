import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installSystemFonts } from './system-fonts.ts'

test('the browser is told where its letters are now, not where they were', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'letters-'))
  writeFileSync(join(folder, 'fonts.conf'), '<fontconfig><dir>/where/they/were</dir></fontconfig>')
  const conf = readFileSync(await installSystemFonts(folder), 'utf8')
  expect(conf).toContain(`<dir>${folder}</dir>`)
  expect(conf).not.toContain('/where/they/were')
  expect(readdirSync(folder).sort()).toEqual(['arimo-400.ttf', 'arimo-700.ttf', 'fonts.conf'])
})
