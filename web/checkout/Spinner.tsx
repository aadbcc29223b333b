/** A turning record and what is being waited for, in words. */
export function Spinner({ children }: { children: string }) {
  return (
    <p role="status" className="flex min-h-24 items-center gap-4">
      <span aria-hidden="true" className="disc spinner" />
      {children}
    </p>
  )
}
