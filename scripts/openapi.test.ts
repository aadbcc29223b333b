import { mkdtempSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { generate } from 'openapi-typescript-codegen'
import { expect, onTestFinished, test } from 'vitest'
import { buildOpenApi } from '../worker/developers/openapi'
import { startTestServer } from './races/test-server'

/** Rules that do not apply: the site's API has no license, and some endpoints only redirect. */
const DISABLED_RULES = { 'info-license': 'off', 'operation-2xx-response': 'off' } as const

test('the OpenAPI document passes an independent linter', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: DISABLED_RULES })
  const problems = await lintFromString({ source: JSON.stringify(buildOpenApi('https://fan.example')), config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('the linter rejects a document without a version', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: DISABLED_RULES })
  const document = { ...buildOpenApi('https://fan.example'), info: { title: 'No version' } }
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  expect(problems.map(({ ruleId }) => ruleId)).toContain('struct')
})

type Service = Record<string, (options?: Record<string, unknown>) => Promise<unknown>>
type Client = { OpenAPI: { BASE: string; TOKEN?: string } } & Record<string, Service>

test('a client generated from the document works', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const folder = mkdtempSync(resolve('.wrangler/client-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { status, body } = await server.request<Record<string, unknown>>('GET', '/api/openapi.json')
  expect([status, body.openapi]).toEqual([200, '3.1.0'])
  await generate({ input: body, output: folder, httpClient: 'fetch', useOptions: true })
  const { OpenAPI, ConfigService, AuthService, LeaderboardService } = (await import(`${folder}/index.ts`)) as Client
  OpenAPI.BASE = server.base.origin
  expect(await ConfigService!.getConfig!()).toMatchObject({ artist: { name: expect.any(String) }, demo: false })
  expect(await LeaderboardService!.getLeaderboard!()).toMatchObject({ me: null })
  await expect(AuthService!.getAuthUser!()).rejects.toMatchObject({ status: 401 })
}, 180_000)
