import { expect, test } from 'vitest'
import { apis } from '../worker/contract'

// `npm run docs:permissions` rewrites docs/permissions.md.
const INTRO = `# Permissions

Who may call each endpoint, generated from \`worker/contract\` by \`npm run docs:permissions\`. \`accessControl\`
(worker/auth/session.middleware.ts) enforces it after a JSON body is read and before an uploaded file is read;
worker/http/permissions.test.ts calls every endpoint as every kind of caller. The name of an endpoint is its key in the
contract. \`/complete_994_votes.csv\` keeps the address it was announced with, outside \`/api\`.

- **visitor**: anyone; some endpoints also check a secret of an emailed link or receipt, or a webhook's signature.
  **user**: a logged-in supporter. **confirmed**: a supporter whose email address is confirmed, else 403
  \`confirm_email\`. **admin**: an admin session of a team member with one of the roles, else 403 \`role_required\`.
- **recent**: the caller has authenticated within the last 15 minutes, else 403 \`recent_auth_required\`.

| method | path | name | auth | roles | recent |
|---|---|---|---|---|---|
`

function permissionsDoc(): string {
  const rows = apis
    .flatMap((api) => Object.entries(api))
    .sort(([, a], [, b]) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path.localeCompare(b.path)))
    .map(
      ([name, { method, path, auth, roles, recentAuth }]) =>
        `| ${method} | \`${path}\` | ${name} | ${auth} | ${roles?.join(', ') ?? ''} | ${recentAuth ? 'yes' : ''} |`,
    )
  return `${INTRO}${rows.join('\n')}\n`
}

test('documents who may call each endpoint', async () => {
  await expect(permissionsDoc()).toMatchFileSnapshot('../docs/permissions.md')
})
