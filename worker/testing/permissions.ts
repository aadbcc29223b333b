import type { Role } from './roles'

export type Body = unknown | ((role: Role) => unknown)
/** A file, for the calls that take one. */
type File = { type: string; bytes: Uint8Array }
/** `own`: makes what the path names, so that it is the supporter's and nobody else's. */
export type PermissionRow = Record<Role, number> & {
  body?: Body
  file?: File
  createOwned?: (userId: number) => Promise<string>
}

export const allRoles = (status: number, body?: Body): PermissionRow => ({
  visitor: status,
  supporter: status,
  other: status,
  banned: status,
  administrator: status,
  lapsed: status,
  thief: status,
  expelled: status,
  body,
})
/** An administrator's session is not a supporter's: who has only that one logs in first. */
export const supportersOnly = (status: number, body?: Body): PermissionRow => ({
  visitor: 401,
  supporter: status,
  other: status,
  banned: 403,
  administrator: 401,
  lapsed: status,
  thief: 401,
  expelled: 403,
  body,
})
/** Ruling 7: 403 for who is no administrator, 401 for who has to log in (again). */
export const administratorsOnly = (status: number, body?: Body): PermissionRow => ({
  visitor: 401,
  supporter: 403,
  other: 403,
  banned: 403,
  administrator: status,
  lapsed: 401,
  thief: 401,
  expelled: 403,
  body,
})
