import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import subsetFont from 'subset-font'

const FOLDER = '.cache/letters'
const LATIN = Array.from({ length: 0x100 - 0x20 }, (_, at) => String.fromCodePoint(0x20 + at)).join('')

/**
 * Gives the packaged browser, which knows one face alone, what every phone and computer has: a face as wide as Arial
 * (Arimo, which is Arial's on ChromeOS). Without it a text whose letters are still on their way would stand in a face
 * that nobody reads it in. Answers the file for FONTCONFIG_FILE, which names whole paths: it is written anew where the
 * project or the folder for temporary files has moved.
 */
export async function installSystemFonts(folder = FOLDER): Promise<string> {
  mkdirSync(folder, { recursive: true })
  for (const weight of [400, 700]) {
    const made = join(folder, `arimo-${weight}.ttf`)
    if (existsSync(made)) continue
    const face = readFileSync(`node_modules/@fontsource/arimo/files/arimo-latin-${weight}-normal.woff2`)
    replace(made, await subsetFont(face, LATIN, { targetFormat: 'truetype' }))
  }
  const conf = resolve(folder, 'fonts.conf')
  const folders = [resolve(folder), join(tmpdir(), 'fonts')].map((one) => `<dir>${one}</dir>`).join('')
  replace(
    conf,
    `<?xml version="1.0"?><fontconfig>${folders}<cachedir>${resolve(folder, 'cache')}</cachedir></fontconfig>`,
  )
  return conf
}

/** Nobody who reads the file meanwhile finds half of it. */
function replace(file: string, content: string | Uint8Array): void {
  const next = `${file}.${process.pid}`
  writeFileSync(next, content)
  renameSync(next, file)
}
