import { consumeArchives, failDeadLetteredArchives } from './archive/archives'
import { consumeBroadcasts } from './broadcasts/send'
import { consumePreviews } from './community/previews/previews'
import { consumeWebhooks } from './developers/deliver-webhooks'
import { consumeDownloads } from './downloads/prepare'
import { consumeEmails, failDeadLetters } from './email/queue'
import type { Env } from './env'
import { consumeExports, failDeadLetteredExports } from './exports/exports'
import { consumeImports, failDeadLetteredImports } from './imports/run'
import { logEvent } from './lib/log'
import { consumeViews } from './products/views'
import { consumeStreams } from './tracks/streams'

type Consumer = (batch: MessageBatch<unknown>, env: Env) => Promise<void>
type QueueHandler = {
  consume: Consumer
  /** For messages that ran out of retries. */
  fail: Consumer
}

/** Handlers of queue messages by `kind`. */
const HANDLERS: Record<string, QueueHandler> = {
  stream: { consume: consumeStreams, fail: logDeadLetters },
  view: { consume: consumeViews, fail: logDeadLetters },
  mail: { consume: consumeEmails, fail: failDeadLetters },
  broadcast: { consume: consumeBroadcasts, fail: logDeadLetters },
  export: { consume: consumeExports, fail: failDeadLetteredExports },
  // Sent to the export queue, because these take minutes.
  download: { consume: consumeDownloads, fail: logDeadLetters },
  archive: { consume: consumeArchives, fail: failDeadLetteredArchives },
  import: { consume: consumeImports, fail: failDeadLetteredImports },
  // Sent to the preview queue, because both call servers that may be slow.
  webhook: { consume: consumeWebhooks, fail: logDeadLetters },
  preview: { consume: consumePreviews, fail: logDeadLetters },
}
/** One malformed message does not block its batch: it is retried until it becomes a dead letter. */
const UNKNOWN_KIND: QueueHandler = { consume: async (batch) => batch.retryAll(), fail: logDeadLetters }

/** Ending of the names of dead-letter queues. A test compares it with wrangler.toml. */
export const DEAD_LETTER_SUFFIX = '-dead'

/** Handles a batch of any queue: each message's `kind` chooses the handler. */
export async function consumeBatch(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  const step = batch.queue.endsWith(DEAD_LETTER_SUFFIX) ? 'fail' : 'consume'
  for (const [kind, messages] of Map.groupBy(batch.messages, ({ body }) => messageKind(body))) {
    const { [step]: handle } = HANDLERS[kind ?? ''] ?? UNKNOWN_KIND
    await handle(batchOf(batch, messages), env)
  }
}

const batchOf = (batch: MessageBatch<unknown>, messages: Message[]): MessageBatch<unknown> => ({
  ...batch,
  queue: batch.queue,
  messages,
  ackAll: () => {
    for (const message of messages) message.ack()
  },
  retryAll: (options) => {
    for (const message of messages) message.retry(options)
  },
})

function messageKind(body: unknown): string | null {
  const kind = typeof body === 'object' && body !== null && 'kind' in body ? body.kind : null
  return typeof kind === 'string' ? kind : null
}

/** Logs id and kind only: bodies name users. */
async function logDeadLetters(batch: MessageBatch<unknown>): Promise<void> {
  for (const { id, body, timestamp } of batch.messages)
    logEvent('dead-letter', { id, kind: messageKind(body), sent: timestamp })
  batch.ackAll()
}
