import { archiveHandler } from './archive/archives'
import { broadcastHandler } from './broadcasts/send'
import { previewHandler } from './community/previews/previews'
import { webhookHandler } from './developers/deliver-webhooks'
import { downloadHandler } from './downloads/prepare'
import { emailHandler } from './email/queue'
import type { Env } from './env'
import { exportHandler } from './exports/exports'
import { importHandler } from './imports/process-import'
import { logEvent } from './lib/log'
import { viewHandler } from './products/product-views'
import type { QueueHandler } from './queue-handler'
import { streamHandler } from './tracks/streams'

/** Handlers of queue messages by `kind`. */
const HANDLERS: Readonly<Record<string, QueueHandler>> = {
  stream: streamHandler,
  view: viewHandler,
  mail: emailHandler,
  broadcast: broadcastHandler,
  export: exportHandler,
  // Sent to the export queue, because these take minutes.
  download: downloadHandler,
  archive: archiveHandler,
  import: importHandler,
  // Sent to the preview queue, because both call servers that may be slow.
  webhook: webhookHandler(),
  preview: previewHandler(),
}
/** Retries messages of an unknown kind until they become dead letters; the others of the batch are handled. */
const UNKNOWN_KIND: QueueHandler = { consume: async (batch) => batch.retryAll() }

/** Suffix of the names of dead-letter queues. A test compares it with wrangler.toml. */
export const DEAD_LETTER_SUFFIX = '-dead'

/** Handles a batch of any queue: each message's `kind` chooses the handler. */
export async function consumeBatch(batch: MessageBatch<unknown>, env: Env): Promise<void> {
  for (const [kind, messages] of Map.groupBy(batch.messages, ({ body }) => messageKind(body))) {
    const handler = HANDLERS[kind ?? ''] ?? UNKNOWN_KIND
    if (batch.queue.endsWith(DEAD_LETTER_SUFFIX)) await failDeadLetters(messages, handler, env)
    else await handler.consume(batchOf(batch, messages), env)
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

/** Marks the jobs as failed. Logs only ids and kinds, because message bodies refer to users. */
async function failDeadLetters(messages: readonly Message[], { fail }: QueueHandler, env: Env): Promise<void> {
  for (const message of messages) {
    await fail?.(message.body, env)
    logEvent('dead-letter', { id: message.id, kind: messageKind(message.body), sent: message.timestamp })
    message.ack()
  }
}
