export function SubscribePage() {
  return <main id="content" />
}
