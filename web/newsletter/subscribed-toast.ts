/** What a new subscriber is told (specification section 8). `pointsEarned` is 0 for a visitor. */
export function subscribedToast(pointsEarned: number): { title: string; text: string } {
  const earned = pointsEarned > 0 ? `+${pointsEarned} points earned!` : 'Sign up to earn points!'
  return {
    title: 'Successfully subscribed!',
    text: `You'll be the first to know about new merch drops. ${earned}`,
  }
}
