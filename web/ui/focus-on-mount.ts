/**
 * As `ref` of what takes the place of what was pressed: the focus goes there, so that a keyboard goes on from it and a
 * screen reader says it. Needs `tabIndex={-1}` where nothing can be pressed.
 */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus()
