import { queryOptions } from '@tanstack/react-query'
import { developersApi } from '../../worker/contract/developers'
import { call } from '../api/call'

export type Operation = {
  id: string
  method: string
  path: string
  summary: string
  /** First paragraph of the endpoint's description, without Markdown; may be empty. */
  description: string
  /** A sentence about who may call it. */
  access: string
}
type OperationGroup = { tag: string; operations: Operation[] }

/** The fields of the OpenAPI document that the reference shows. */
type OpenApiDocument = {
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
  queryFn: async () => groupByTag((await call(developersApi.openApi, {})) as unknown as OpenApiDocument),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The endpoints by tag, public ones first. */
function groupByTag({ paths }: OpenApiDocument): OperationGroup[] {
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
  /** 0 for public endpoints, 1 for the team's. */
  const rankOf = (tag: string) => Number(tag.startsWith('Team: '))
  return [...groups]
    .map(([tag, operations]) => ({ tag, operations }))
    .sort((a, b) => rankOf(a.tag) - rankOf(b.tag) || a.tag.localeCompare(b.tag))
}

function describeAccess(security: Record<string, string[]>[]): string {
  const scopes = security.flatMap(({ token }) => token ?? [])
  if (scopes.length > 0) return `Access token with ${scopes.join(', ')}, or the dashboard.`
  if (security.some((scheme) => 'admin' in scheme)) return 'The dashboard only.'
  return security.some((scheme) => 'supporter' in scheme) ? 'Logged-in supporters.' : 'Anyone.'
}
