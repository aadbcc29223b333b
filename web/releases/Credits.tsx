import type { Credit } from '../../worker/contract/releases'

/** Roles with the names of their credits; one line for each role. */
export function Credits({ credits }: { credits: readonly Credit[] }) {
  const namesByRole = new Map<string, string[]>()
  for (const { role, name } of credits) namesByRole.set(role, [...(namesByRole.get(role) ?? []), name])
  return (
    <dl className="credits">
      {[...namesByRole].map(([role, names]) => (
        <div key={role}>
          <dt className="text-sm text-muted">{role}</dt>
          <dd>{names.join(', ')}</dd>
        </div>
      ))}
    </dl>
  )
}
