import { expect, test } from 'vitest'
import { patternOf } from './mask.ts'

/** What a message and a similar one have in common. */

test.each([
	['Read timed out after 3000 ms calling payment-gateway', 'Read timed out after * ms calling payment-gateway'],
	['took 41ms, 1,204.5 kB', 'took *ms, * kB'],
	['retry 2 of 3 for POST /v2/charges, last answer 503', 'retry * of * for POST /v2/charges, last answer *'],
	['GET /api/v1/products?page=3 200 in 41 ms', 'GET /api/v1/products?page=* * in * ms'],
	['cart 5f1c-88 loaded from cache in 2 ms', 'cart * loaded from cache in * ms'],
	['user 550e8400-e29b-41d4-a716-446655440000 signed in', 'user * signed in'],
	['trace 4bf92f3577b34da6a3ce929d0e0e4736 at 0x7fFF', 'trace * at *'],
	['commit deadbeef is a word, c0ffee1 is an id', 'commit deadbeef is a word, * is an id'],
	['Cannot invoke "Cart.items()" because "cart" is null', 'Cannot invoke * because * is null'],
	["column 'a b' isn't in `books`, don't ask", "column * isn't in *, don't ask"],
	['accepted 10.0.0.12:44321 and ::1 and fe80::1ff:fe23:4567:890a', 'accepted * and * and *'],
	['2026-11-28T08:29:26.035Z started, next at 08:30', '* started, next at *'],
	['2026-11-28 08:29:26,035 done on 2026-11-28', '* done on *'],
	['ids [1, 2, 3] and [4]', 'ids [*] and [*]'],
	['http2 on web-04, log4j, Größe2', 'http2 on web-*, log4j, Größe2'],
	['Order 473910 placed by u3910, cart_812 of 2', 'Order * placed by u*, cart_* of *'],
	['a * b ? c \\ d', 'a ? b ? c ? d'],
	['shop.CheckoutFailed: no 7\n\tat shop.Pay(Pay.java:12)', 'shop.CheckoutFailed: no *'],
	['shop.CheckoutFailed\n\tat shop.Pay(Pay.java:12)', 'shop.CheckoutFailed*'],
	['  spaces \n', '*spaces*'],
	['', ''],
	['x'.repeat(301), `${'x'.repeat(300)}*`],
])('the pattern of %j is %j', (message, pattern) => {
	expect(patternOf(message)).toBe(pattern)
})
