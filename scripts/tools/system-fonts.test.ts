import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installSystemFonts } from './system-fonts.ts'

test('installs the fonts and updates a moved folder’s path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fonts-'))
  writeFileSync(join(folder, 'fonts.conf'), '<fontconfig><dir>/old/path</dir></fontconfig>')
  const conf = readFileSync(installSystemFonts(folder), 'utf8')
  expect(conf).toContain(`<dir>${folder}</dir>`)
  expect(conf).not.toContain('/old/path')
  expect(readdirSync(folder).sort()).toEqual(['arimo-400.ttf', 'arimo-700.ttf', 'fonts.conf'])
})
