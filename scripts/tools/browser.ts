import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Switches for a browser without a display, a GPU or a way to the internet. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * A Chromium to test with: $CHROME_PATH, else the system's, else the one that comes as an npm package (Linux x64).
 * @throws Error with one sentence on what to install.
 */
export async function findBrowser(): Promise<string> {
  const given = process.env.CHROME_PATH
  if (given) return given
  const folders = (process.env.PATH ?? '').split(delimiter)
  for (const path of [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), MAC])
    if (isProgram(path)) return path
  if (process.platform === 'linux' && process.arch === 'x64') return bundled()
  throw new Error('The browser tests need Chrome or Chromium: install one, or point CHROME_PATH at it.')
}

/** Unpacks the packaged headless shell and the libraries that a bare machine lacks. */
async function bundled(): Promise<string> {
  // Its own sign of a bare machine: it then unpacks nss, nspr and expat next to the browser.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  return chromium.executablePath()
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
