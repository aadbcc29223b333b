import * as z from 'zod/mini'
import { get, owners, patch } from './endpoint'

/** Steps to set up a new site, in the order in which owners see them. */
export const SETUP_STEPS = ['name', 'artwork', 'release', 'show', 'payments', 'email', 'team'] as const
export type SetupStepId = (typeof SETUP_STEPS)[number]

export const Setup = z.object({
  /** All steps; `isDone` is read from the site's rows and configuration. */
  steps: z.array(z.object({ id: z.enum(SETUP_STEPS), isDone: z.boolean() })),
  /** An owner has hidden the list. */
  isHidden: z.boolean(),
})
export type Setup = z.infer<typeof Setup>

const SetupChange = z.strictObject({ isHidden: z.boolean() })

export const setupApi = {
  setup: get('/api/admin/setup', Setup, owners),
  changeSetup: patch('/api/admin/setup', SetupChange, null, {
    ...owners,
    description: 'Hides the list from all owners, or shows it again.',
  }),
}
