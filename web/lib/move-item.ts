/** A copy with the item at `from` moved to `to`; unchanged if either is outside the list. */
export function moveItem<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const moved = [...list]
  if (from < 0 || to < 0 || from >= list.length || to >= list.length) return moved
  moved.splice(to, 0, ...moved.splice(from, 1))
  return moved
}
