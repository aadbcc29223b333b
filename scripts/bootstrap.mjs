// The first step of every command. Uses nothing but Node's own modules, because nothing else may be there yet: it
// installs what the lockfile names, then runs the command on the pinned Node. Works on Node 20 and later.
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

/** `npm ci` when the lockfile is not the one that was installed last. */
function install() {
  const stamp = join('node_modules', '.install-stamp')
  const wanted = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing packages (npm ci) ...')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail('npm ci did not succeed; its own words are above.')
  mkdirSync('node_modules', { recursive: true })
  writeFileSync(stamp, wanted)
}

/** The Node that the project pins, as the npm package `node`; where its install script was blocked, one that is new enough. */
function pinnedNode() {
  const pinned = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath
  return fail(
    'The pinned Node could not be installed. Run `npm rebuild node --foreground-scripts`, or use Node 22.18 or later.',
  )
}

/** Runs a program and passes on every wish to stop; when our own parent is gone, the program is stopped as well. */
function run(program, args) {
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(program)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}` },
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

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
