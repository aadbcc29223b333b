export function CheckoutPage() {
  return <main id="content" />
}
