import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installSystemFonts } from './system-fonts.ts'

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
 * A Chromium to test with: $CHROME_PATH, else the headless shell that comes as an npm package (Linux x64), else the
 * system's. The shell comes first for it is the same everywhere and takes half of the processor's time of a whole browser
 * (14.8 s for eleven journeys against 29.4 s; with every switch that saves something, 25.4 s).
 * @throws Error with one sentence on what to install.
 */
export async function findBrowser(): Promise<string> {
  const given = process.env.CHROME_PATH
  if (given) return given
  const folders = (process.env.PATH ?? '').split(delimiter)
  const installed = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), MAC]
  const found = (await packaged()) ?? installed.find(isProgram)
  if (found) return found
  throw new Error('The browser tests need Chrome or Chromium: install one, or point CHROME_PATH at it.')
}

/**
 * Unpacks the headless shell and the libraries that a bare machine lacks, and gives it letters. Null where it does not run.
 * @throws Error when letters cannot be made: another browser in its place would be tested unheard.
 */
async function packaged(): Promise<string | null> {
  const shell = await unpacked()
  if (shell) process.env.FONTCONFIG_FILE ??= await installSystemFonts()
  return shell
}

async function unpacked(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  // Its own sign of a bare machine: it then unpacks nss, nspr and expat next to the browser.
  process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs22.x'
  try {
    const { default: chromium } = await import('@sparticuz/chromium')
    const path = await chromium.executablePath()
    execFileSync(path, ['--version'], { stdio: 'ignore' })
    return path
  } catch {
    return null
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
