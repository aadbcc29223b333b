import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import subsetFont from 'subset-font'

const FOLDER = '.cache/letters'
const LATIN = Array.from({ length: 0x100 - 0x20 }, (_, at) => String.fromCodePoint(0x20 + at)).join('')

/**
 * Gives the packaged browser, which knows one face alone, what every phone and computer has: a face as wide as Arial
 * (Arimo, which is Arial's on ChromeOS). Without it a text whose letters are still on their way would stand in a face
 * that nobody reads it in. Answers the file for FONTCONFIG_FILE.
 */
export async function giveLetters(): Promise<string> {
  const conf = resolve(FOLDER, 'fonts.conf')
  if (existsSync(conf)) return conf
  mkdirSync(FOLDER, { recursive: true })
  for (const weight of [400, 700]) {
    const face = readFileSync(`node_modules/@fontsource/arimo/files/arimo-latin-${weight}-normal.woff2`)
    writeFileSync(join(FOLDER, `arimo-${weight}.ttf`), await subsetFont(face, LATIN, { targetFormat: 'truetype' }))
  }
  const folders = [resolve(FOLDER), join(tmpdir(), 'fonts')].map((folder) => `<dir>${folder}</dir>`).join('')
  writeFileSync(
    conf,
    `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${resolve(FOLDER, 'cache')}</cachedir></fontconfig>`,
  )
  return conf
}
