import type { Page } from '@playwright/test'

/**
 * What stands in for Stripe's own script: just enough of it for the real Elements code to mount a form and confirm. The
 * outcome is chosen by `window.stripeSays`, as a card number would choose it, or by whoever stands behind
 * `window.stripeCharges`.
 */
export const SCRIPT = `
  window.Stripe = (key) => {
    const made = [];
    const element = () => {
      const listeners = {};
      const say = (name, event = {}) => (listeners[name] || []).forEach((listener) => listener(event));
      return {
        mount(node) {
          const place = typeof node === 'string' ? document.querySelector(node) : node;
          place.innerHTML = '<label>Card number <input inputmode="numeric" autocomplete="cc-number"></label>';
          setTimeout(() => say('ready'), 0);
        },
        on(name, listener) { (listeners[name] = listeners[name] || []).push(listener); return this; },
        off() { return this; }, once() { return this; },
        update() {}, destroy() {}, unmount() {}, focus() {}, blur() {}, clear() {}, collapse() {},
      };
    };
    const elements = (options) => {
      window.stripeElements = options;
      return {
        create: element, getElement: () => null, update() {},
        submit: async () => ({}),
        fetchUpdates: async () => { window.stripeUpdates = (window.stripeUpdates || 0) + 1; return {}; },
      };
    };
    return {
      elements,
      createToken() {}, createPaymentMethod() {}, confirmCardPayment() {}, registerAppInfo() {}, _registerWrapper() {},
      confirmPayment: async (options) => {
        window.stripeConfirmed = (window.stripeConfirmed || []).concat(options.confirmParams.return_url);
        const charge = window.stripeCharges;
        const says = charge ? await charge(window.stripeElements.clientSecret) : window.stripeSays || 'success';
        return says === 'success'
          ? { paymentIntent: { status: 'succeeded' } }
          : { error: { type: 'card_error', message: says } };
      },
    };
  };`

/** A deployment that takes payments by Stripe, as far as the browser can see. */
export async function withStripe(page: Page, script: 'stub' | 'blocked' = 'stub'): Promise<void> {
  await page.route('/api/config', async (route) => {
    const config = await (await route.fetch()).json()
    await route.fulfill({ json: { ...config, payments: 'stripe', stripePublishableKey: 'pk_test_stub' } })
  })
  await page.route('https://js.stripe.com/**', (route) =>
    script === 'blocked' ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  )
}
