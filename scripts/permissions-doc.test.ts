import { expect, test } from 'vitest'
import { endpoints } from '../worker/contract'

// `npm run docs:permissions` rewrites the file.
const INTRO = `# Permissions

Who may call each endpoint, generated from \`worker/contract\` by \`npm run docs:permissions\`. \`accessControl\`
(worker/auth/session.middleware.ts) enforces it after a JSON body is read and before an uploaded file is read;
worker/http/permissions.test.ts calls every endpoint as every kind of caller. \`/complete_994_votes.csv\` is a published
URL, so it stays outside \`/api\`.

- **visitor**: anyone. **user**: a logged-in supporter. **confirmed**: a supporter whose email address is confirmed, else
  403 \`confirm_email\`. **admin**: an admin session of a team member with one of the roles, else 403 \`role_required\`.
- **recent**: the caller has authenticated within the last 15 minutes, else 403 \`recent_auth_required\`.

| method | path | auth | roles | recent |
|---|---|---|---|---|
`

function permissionsDoc(): string {
  const rows = endpoints
    .map(({ method, path, auth, roles, recentAuth }) => ({ method, path, auth, roles, recentAuth }))
    .sort((a, b) => (a.path === b.path ? a.method.localeCompare(b.method) : a.path.localeCompare(b.path)))
    .map(
      ({ method, path, auth, roles, recentAuth }) =>
        `| ${method} | \`${path}\` | ${auth} | ${roles?.join(', ') ?? ''} | ${recentAuth ? 'yes' : ''} |`,
    )
  return `${INTRO}${rows.join('\n')}\n`
}

test('documents who may call each endpoint', async () => {
  await expect(permissionsDoc()).toMatchFileSnapshot('../docs/permissions.md')
})
