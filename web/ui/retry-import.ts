/**
 * Asks again for code that did not come. Many browsers remember a module that failed until the page is loaded anew:
 * when the site answers and the code still does not come, the page is.
 */
export async function retryImport(refetch: () => Promise<{ isError: boolean }>): Promise<void> {
  const { isError } = await refetch()
  if (!isError) return
  const answered = await fetch(location.href, { method: 'HEAD' }).catch(() => null)
  if (answered?.ok) location.reload()
}
