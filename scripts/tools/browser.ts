import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installSystemFonts } from './system-fonts.ts'

const BROWSER_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const MAC_BROWSER = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'

/** Switches for a browser without display, GPU or internet. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Hinting rounds widths: the fallback font would no longer match the web font.
  '--font-render-hinting=none',
]

/**
 * Returns the path of a Chromium: $CHROME_PATH, the npm package's headless shell (Linux x64), or the system's. For the
 * package's, also sets FONTCONFIG_FILE. @throws Error saying what to install.
 */
export async function findBrowser(): Promise<string> {
  const configuredPath = process.env.CHROME_PATH
  if (configuredPath) return configuredPath
  const folders = (process.env.PATH ?? '').split(delimiter)
  const installed = [...folders.flatMap((folder) => BROWSER_NAMES.map((name) => join(folder, name))), MAC_BROWSER]
  const executable = (await preparePackagedBrowser()) ?? installed.find(isProgram)
  if (executable) return executable
  throw new Error('The browser tests need Chrome or Chromium: install one, or point CHROME_PATH at it.')
}

/**
 * Unpacks the headless shell with its libraries and fonts; null where it does not run.
 * @throws Error if the fonts cannot be written: falling back would silently test another browser.
 */
async function preparePackagedBrowser(): Promise<string | null> {
  const shell = await unpackHeadlessShell()
  if (shell) process.env.FONTCONFIG_FILE ??= installSystemFonts()
  return shell
}

async function unpackHeadlessShell(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  // With this the package unpacks nss, nspr and expat beside the browser.
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
