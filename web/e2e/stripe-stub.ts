import type { Page } from '@playwright/test'

/**
 * Stubs what the checkout uses of Stripe.js. A payment's outcome is the result of `window.stripeCharge(clientSecret)`,
 * or else `window.stripeOutcome`: `success` (default), `second_step` (the bank asks to confirm) or an error message.
 */
export const STRIPE_STUB_SCRIPT = `
  window.Stripe = (key) => {
    const element = (type) => {
      const listeners = {};
      const emit = (name, event = {}) => (listeners[name] || []).forEach((listener) => listener(event));
      return {
        mount(node) {
          const place = typeof node === 'string' ? document.querySelector(node) : node;
          const isWallet = type === 'expressCheckout';
          place.innerHTML = isWallet
            ? '<button type="button">Wallet</button>'
            : '<label>Card number <input inputmode="numeric" autocomplete="cc-number"></label>';
          const resolve = () => emit('confirm', { paymentFailed: () => { window.walletFailed = true; } });
          if (isWallet) place.querySelector('button').onclick = () => emit('click', { resolve });
          setTimeout(() => emit('ready', isWallet && window.stripeWallets ? { availablePaymentMethods: {} } : {}), 0);
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
    const secondStep = () => new Promise((resolve) => {
      const bank = document.createElement('dialog');
      bank.setAttribute('aria-label', 'The bank');
      for (const [name, result] of [['Confirm it is you', 'success'], ['That is not me',
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.']]) {
        const button = document.createElement('button');
        button.textContent = name;
        button.onclick = () => { bank.remove(); resolve(result); };
        bank.append(button);
      }
      document.body.append(bank);
      bank.showModal();
    });
    return {
      elements,
      createToken() {}, createPaymentMethod() {}, confirmCardPayment() {}, registerAppInfo() {}, _registerWrapper() {},
      confirmPayment: async (options) => {
        window.stripeConfirmed = (window.stripeConfirmed || []).concat(options.confirmParams.return_url);
        const charge = window.stripeCharge;
        const outcome = charge ? await charge(window.stripeElements.clientSecret) : window.stripeOutcome || 'success';
        const result = outcome === 'second_step' ? await secondStep() : outcome;
        return result === 'success'
          ? { paymentIntent: { status: 'succeeded' } }
          : { error: { type: 'card_error', message: result } };
      },
    };
  };`

/** Mocks a deployment with Stripe: its configuration, and Stripe.js, which loads as the stub or is blocked. */
export async function mockStripe(page: Page, script: 'stub' | 'blocked' = 'stub'): Promise<void> {
  await page.route('/api/config', async (route) => {
    const config = await (await route.fetch()).json()
    await route.fulfill({ json: { ...config, payments: 'stripe', stripePublishableKey: 'pk_test_stub' } })
  })
  await page.route('https://js.stripe.com/**', (route) =>
    script === 'blocked' ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: STRIPE_STUB_SCRIPT }),
  )
}
