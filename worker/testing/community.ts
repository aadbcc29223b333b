import { env } from 'cloudflare:test'
import { communityApi, type Post } from '../contract/community'
import { send } from './client'
import { addUser, sessionFor } from './rows'
import { NOON } from './seed'

const POSTS = communityApi.posts.path

/** A supporter who posts: at noon, unless said otherwise. */
export async function newSupporter(row: Parameters<typeof addUser>[0] = {}) {
  const user = await addUser(row)
  const { headers } = await sessionFor(user, NOON)
  const request = (method: string, path: string, json?: unknown, at = NOON) => send(method, path, json, { at, headers })
  const createPost = async (text: string, at = NOON) =>
    (await (await request('POST', POSTS, { text }, at)).json()) as { id: string; pointsAwarded: number }
  const getPoints = async () =>
    (await env.DB.prepare('SELECT points FROM users WHERE id = ?1').bind(user.id).first<{ points: number }>())?.points
  const getFeed = async () => (await (await request('GET', POSTS)).json()) as Post[]
  return { user, request, createPost, getPoints, getFeed }
}
