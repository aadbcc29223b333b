import { queryOptions } from '@tanstack/react-query'
import { developersApi } from '../../worker/contract/developers'
import { call } from '../api/call'

export type Operation = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  /** A sentence about who may call it. */
  access: string
}
type Group = { tag: string; operations: Operation[] }

/** The fields of the OpenAPI document that the reference shows. */
type Description = {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        summary: string
        description?: string
        tags: string[]
        security: Record<string, string[]>[]
      }
    >
  >
}

export const apiReference = queryOptions({
  queryKey: ['openapi'],
  queryFn: async () => groupByTag((await call(developersApi.openApi, {})) as unknown as Description),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The endpoints by tag, public ones first. */
function groupByTag({ paths }: Description): Group[] {
  const groups = new Map<string, Operation[]>()
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { operationId, summary, description = '', tags, security }] of Object.entries(methods)) {
      const [tag = ''] = tags
      const operation = {
        id: operationId,
        method: method.toUpperCase(),
        path,
        summary,
        description: description.split('\n\n')[0]?.replaceAll('`', '') ?? '',
        access: describeAccess(security),
      }
      groups.set(tag, [...(groups.get(tag) ?? []), operation])
    }
  const isForTeam = (tag: string) => Number(tag.startsWith('Team: '))
  return [...groups]
    .map(([tag, operations]) => ({ tag, operations }))
    .sort((a, b) => isForTeam(a.tag) - isForTeam(b.tag) || a.tag.localeCompare(b.tag))
}

function describeAccess(security: Record<string, string[]>[]): string {
  const scopes = security.flatMap(({ token }) => token ?? [])
  if (scopes.length > 0) return `Access token with ${scopes.join(', ')}, or the dashboard.`
  if (security.some((it) => 'admin' in it)) return 'The dashboard only.'
  return security.some((it) => 'supporter' in it) ? 'Logged-in supporters.' : 'Anyone.'
}
