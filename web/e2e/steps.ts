import { test as base, type Locator, type Page } from '@playwright/test'

/**
 * Counts what an administrator does: each click, each field filled, each file chosen, each key and each opened address is
 * one step. Scrolling and reading are none. docs/admin-tasks.md holds the counts.
 */
export function countSteps(page: Page) {
  let steps = 0
  const counted =
    <Arguments extends unknown[]>(act: (...input: Arguments) => Promise<unknown>) =>
    async (...input: Arguments) => {
      steps++
      await act(...input)
    }
  return {
    click: counted((control: Locator) => control.click()),
    fill: counted((field: Locator, text: string) => field.fill(text)),
    select: counted((field: Locator, label: string) => field.selectOption({ label })),
    choose: counted((field: Locator, file: Parameters<Locator['setInputFiles']>[0]) => field.setInputFiles(file)),
    press: counted((key: string) => page.keyboard.press(key)),
    open: counted((path: string) => page.goto(path)),
    /** Records the count in the test's report. */
    done(task: string): number {
      base.info().annotations.push({ type: 'steps', description: `${task}: ${steps}` })
      return steps
    },
  }
}
