import { type SQL, sql } from 'drizzle-orm'
import { AppError } from '../lib/app-error'

/** SQL condition: the user is not an owner, or the team has another active owner. */
export const isNotLastOwner = (userId: SQL | number): SQL => sql`
  (NOT EXISTS (SELECT 1 FROM team_members WHERE team_members.user_id = ${userId} AND team_members.role = 'owner')
    OR EXISTS (SELECT 1 FROM team_members other JOIN users holder ON holder.id = other.user_id
      WHERE other.role = 'owner' AND other.user_id <> ${userId} AND holder.erased_at IS NULL AND holder.banned_at IS NULL))`

export const lastOwnerError = (subject: 'You are' | 'That is') =>
  new AppError('conflict', `${subject} the last owner on the team. Please make someone else an owner first.`)
