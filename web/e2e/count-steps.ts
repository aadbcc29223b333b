import { expect, type Locator, type Page, test } from '@playwright/test'

/**
 * Steps of the team's most common tasks, as in docs/admin-tasks.md. `before`: steps in the old dashboard with tabs
 * (until November 2026), null if it could not do the task. `now`: steps today.
 */
export const ADMIN_TASKS = {
  'pack an order': { before: 7, now: 3 },
  'answer an inquiry': { before: 4, now: 2 },
  'publish a show': { before: 9, now: 4 },
  'find a supporter by half a name': { before: 3, now: 2 },
  'hide a post': { before: 4, now: 2 },
  'read last month’s revenue': { before: 5, now: 1 },
  'send a broadcast': { before: 6, now: 5 },
  'pick two finalists': { before: 5, now: 3 },
  'export the supporters': { before: 3, now: 1 },
  'give points': { before: null, now: 7 },
} as const satisfies Readonly<Record<string, { before: number | null; now: number }>>
type AdminTask = keyof typeof ADMIN_TASKS

/**
 * Returns actions that count as one step each: clicking, filling a field and pressing a key. Scrolling and reading do
 * not count.
 */
export function countSteps(page: Page) {
  let steps = 0
  const countStep =
    <Arguments extends unknown[]>(act: (...input: Arguments) => Promise<unknown>) =>
    async (...input: Arguments) => {
      steps++
      await act(...input)
    }
  return {
    click: countStep((control: Locator) => control.click()),
    fill: countStep((field: Locator, text: string) => field.fill(text)),
    press: countStep((key: string) => page.keyboard.press(key)),
    /** Expects the task's count and records it in the test's report. */
    expectCount(task: AdminTask): void {
      test.info().annotations.push({ type: 'steps', description: `${task}: ${steps}` })
      expect(steps, task).toBe(ADMIN_TASKS[task].now)
    },
  }
}
