export function PrivacyPolicyPage() {
  return <main id="content" />
}
