import { env } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { eraseAccount } from '../auth/erasure'
import { openDb } from '../db/client'
import { NOON } from '../testing/furnish'
import { addPerson } from '../testing/people'
import { subscriptionOf } from './subscriptions'

test('the free week is had once, also by somebody who left and came back', async () => {
  const secret = 'x'.repeat(32)
  const supporters = await Promise.all(
    ['first', 'other'].map((name) =>
      addPerson(name, {
        mailboxKey: `${name}@week.example`,
        email: `${name}@week.example`,
        phoneHash: `phone-${name}`,
      }),
    ),
  )
  const free = async (row: { id: number }) =>
    (await subscriptionOf({ db: openDb(env.DB), secret }, { userId: row.id, email: '', tier: 'bronze' })).trialAvailable
  await env.DB.prepare("INSERT INTO billing_customers (user_id, customer_id, trial_used_at) VALUES (?, 'cus_2', 1)")
    .bind(supporters[0]!.id)
    .run()
  for (const { id } of supporters) await eraseAccount({ db: env.DB, secret }, { userId: id, asked: true }, NOON)
  expect([
    await free(await addPerson('back1', { mailboxKey: 'first@week.example' })),
    await free(await addPerson('back2', { phoneHash: 'phone-first' })),
    await free(await addPerson('back3', { mailboxKey: 'other@week.example', phoneHash: 'phone-other' })),
  ]).toEqual([false, false, true])
})
