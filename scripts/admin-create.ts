import { randomBytes, randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { isCommonPassword } from '../worker/auth/common-passwords.ts'
import { hashPassword } from '../worker/auth/password.ts'
import { mailboxKey } from '../worker/lib/email.ts'
import { askOnTerminal } from './tools/prompt.ts'
import { runCommand } from './tools/run-command.ts'
import { runWrangler } from './tools/run-tool.ts'
import { sqlText } from './tools/sql.ts'
import { lockState } from './tools/state-lock.ts'

// Creates an admin; asks for the password, or generates one without a terminal. For an existing account --promote
// is required and the password stays the same.
const USAGE = 'npm run admin:create -- --username <name> --email <address> [--remote] [--promote]'
/** Longer than a supporter's minimum. */
const MIN_PASSWORD_LENGTH = 12

type AdminRequest = { username: string; email: string; promote: boolean }

/**
 * SQL that creates an admin or makes an account one: an owner of the team, audited, and without a Google link if there
 * is another way to log in (docs/product-rules.md). As text, because `wrangler d1 execute` takes no parameters.
 */
export function adminStatements(
  { username, email, promote }: AdminRequest,
  passwordHash: string | null,
  now: number,
): string {
  const [name, key, address, addressKey, mailbox] = [
    username,
    username.toLowerCase(),
    email,
    email.toLowerCase(),
    mailboxKey(email),
  ].map(sqlText)
  const matchesAccount = `username_key = ${key} AND email_key = ${addressKey} AND banned_at IS NULL AND erased_at IS NULL`
  const write = promote
    ? `UPDATE users SET role = 'administrator', session_epoch = session_epoch + 1 WHERE ${matchesAccount}`
    : `INSERT INTO users (username, username_key, email, email_key, mailbox_key, email_verified_at, password_hash, role, created_at, last_active_at)
       VALUES (${name}, ${key}, ${address}, ${addressKey}, ${mailbox}, ${now}, ${sqlText(passwordHash ?? '')}, 'administrator', ${now}, ${now})`
  return `${write};
    UPDATE users SET referral_code = coalesce((SELECT referral_prefix FROM site), 'FAN') || id || ${sqlText(referralCodeEnding())} WHERE ${matchesAccount} AND referral_code IS NULL;
    INSERT INTO audit_log (at, actor_id, action, subject, detail)
      SELECT ${now}, id, 'administrator.made', 'user:' || id, '{"by":"npm run admin:create"}' FROM users WHERE ${matchesAccount} AND role = 'administrator';
    DELETE FROM identities WHERE user_id = (SELECT id FROM users WHERE ${matchesAccount}
      AND (password_hash IS NOT NULL OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.user_id = users.id)));
    UPDATE team_members SET role = 'owner' WHERE user_id = (SELECT id FROM users WHERE ${matchesAccount});
    SELECT count(*) AS made FROM users WHERE ${matchesAccount} AND role = 'administrator';`
}

const CODE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const referralCodeEnding = () =>
  Array.from({ length: 3 }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('')

/** The first problem with the arguments, or null. */
export function argumentError({ username, email }: AdminRequest): string | null {
  if (!/^[A-Za-z0-9._-]{3,30}$/.test(username) || !/[A-Za-z0-9]$/.test(username))
    return 'A username has 3 to 30 letters, numbers, dots, dashes or underscores, and ends with a letter or number.'
  return /^[^\s@'"]+@[^\s@'"]+\.[^\s@.'"]{2,}$/.test(email) ? null : 'That is not an email address.'
}

/** What is wrong with a new password, or null. */
export function passwordError(password: string, { username, email }: AdminRequest): string | null {
  if (password.length < MIN_PASSWORD_LENGTH || password.length > 128)
    return `An administrator's password has ${MIN_PASSWORD_LENGTH} to 128 characters.`
  return isCommonPassword(password, [username, email.split('@')[0] ?? ''])
    ? 'That password is easily guessed. Please choose another.'
    : null
}

/** The password from ADMIN_PASSWORD or the terminal; without a terminal generates and prints one. */
async function obtainPassword(): Promise<string> {
  if (process.env.ADMIN_PASSWORD) return process.env.ADMIN_PASSWORD
  if (!process.stdin.isTTY) {
    const generated = randomBytes(15).toString('base64url')
    console.log(`Password: ${generated}\nIt will not be shown again. Change it after the first login.`)
    return generated
  }
  return askOnTerminal('Password (not shown): ', { isHidden: true })
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      username: { type: 'string' },
      email: { type: 'string' },
      remote: { type: 'boolean', default: false },
      promote: { type: 'boolean', default: false },
      config: { type: 'string', default: 'wrangler.toml' },
      state: { type: 'string', default: '.wrangler/state' },
    },
  })
  const request: AdminRequest = { username: values.username ?? '', email: values.email ?? '', promote: values.promote }
  const problem = values.username && values.email ? argumentError(request) : `Usage: ${USAGE}`
  if (problem) throw new Error(problem)
  const password = request.promote ? null : await obtainPassword()
  const weakness = password === null ? null : passwordError(password, request)
  if (weakness) throw new Error(weakness)
  const sql = adminStatements(request, password === null ? null : await hashPassword(password), Date.now())
  if (!values.remote) process.on('exit', lockState(values.state).release)
  const target = values.remote ? ['--remote', '--config', values.config] : ['--local', '--persist-to', values.state]
  const { succeeded, output } = runWrangler(['d1', 'execute', 'DB', ...target, '--yes', '--json', '--command', sql])
  if (!succeeded) {
    const takenColumn = /UNIQUE constraint failed: users\.(\w+)/.exec(output)?.[1]
    throw new Error(
      takenColumn
        ? `There is an account with that ${takenColumn.startsWith('email') ? 'address' : 'name'} already. Use --promote to make it an administrator.`
        : `The database failed:\n${output}`,
    )
  }
  if (!/"made":\s*1/.test(output))
    throw new Error('No account with that name and address can be promoted: there is none, or it is banned.')
  console.log(`${request.username} can log in at /admin-login.`)
}

if (import.meta.main) runCommand(main)
