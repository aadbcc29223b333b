import { env } from 'cloudflare:test'
import { communityApi, type Post } from '../contract/community'
import { send } from './client'
import { NOON } from './furnish'
import { addUser, sessionFor } from './rows'

const POSTS = communityApi.posts.path

/** A supporter who posts: at noon, unless said otherwise. */
export async function newFan(row: Parameters<typeof addUser>[0] = {}) {
  const user = await addUser(row)
  const { headers } = await sessionFor(user, NOON)
  const ask = (method: string, path: string, json?: unknown, at = NOON) => send(method, path, json, { at, headers })
  const write = async (text: string, at = NOON) =>
    (await (await ask('POST', POSTS, { text }, at)).json()) as { id: string; pointsAwarded: number }
  const points = async () =>
    (await env.DB.prepare('SELECT points FROM users WHERE id = ?1').bind(user.id).first<{ points: number }>())?.points
  const feed = async () => (await (await ask('GET', POSTS)).json()) as Post[]
  return { user, ask, write, points, feed }
}
