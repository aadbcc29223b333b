// Entry point of most npm commands, with Node's own modules only: installs the lockfile's packages, then runs the
// command on the pinned Node. Works on Node 20 and later.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
process.chdir(root)
const [command, ...rest] = process.argv.slice(2)

install()
run(pinnedNode(), [join('scripts', `${command}.ts`), ...rest])

/** Runs `npm ci` when the lockfile has changed since the last install. */
function install() {
  const stamp = join('node_modules', '.install-stamp')
  const lockfileHash = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfileHash) return
  console.log('Installing packages (npm ci) ...')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail('npm ci failed; its output is above.')
  mkdirSync('node_modules', { recursive: true })
  writeFileSync(stamp, lockfileHash)
}

/**
 * The pinned Node from the npm package `node`. If the package's install script was blocked, the current Node if it is
 * new enough.
 */
function pinnedNode() {
  const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath
  return fail(
    'The pinned Node could not be installed. Run `npm rebuild node --foreground-scripts`, or use Node 22.18 or later.',
  )
}

/** Runs a program, forwards signals, and stops it when the parent process is gone. */
function run(program, args) {
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${dirname(program)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`,
      // Node compiles wrangler, vite and vitest once instead of in each process. Saves half a second per start.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '.cache', 'node'),
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal))
  const parent = process.ppid
  const watch = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500)
  child.on('exit', (code, signal) => {
    clearInterval(watch)
    process.exit(signal ? 130 : code)
  })
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
