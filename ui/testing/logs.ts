import type { Cell } from '../../host/api/api.ts'
import { FakeTable } from './fake-tables.ts'

/** A trace of Java with two own frames, four of libraries and an exception around its cause. */
export const fakeTrace = [
	'shop.CheckoutFailed: payment was not taken',
	'\tat shop.CheckoutService.pay(CheckoutService.java:142)',
	'\tat org.springframework.web.servlet.FrameworkServlet.processRequest(FrameworkServlet.java:1022)',
	'\tat org.apache.catalina.core.StandardWrapperValve.invoke(StandardWrapperValve.java:167)',
	'Caused by: java.net.SocketTimeoutException: Read timed out',
	'\tat java.base/java.net.SocketInputStream.read(SocketInputStream.java:171)',
	'\tat okhttp3.internal.http.RealCall.execute(RealCall.java:80)',
	'\tat shop.PaymentClient.charge(PaymentClient.java:88)',
	'\t... 3 more',
].join('\n')

const kinds = [
	['INFO', 'catalog', 'web-04', 'GET /api/v1/products?page=3 200 in 41 ms', 200],
	['ERROR', 'checkout', 'web-02', 'Read timed out after 3000 ms calling payment-gateway', 502],
	['WARN', 'payment', 'web-01', 'retry 2 of 3 for POST /v2/charges, last answer 503', 503],
	['DEBUG', 'cart', 'web-06', 'cart 5f1c-88 loaded from cache in 2 ms', null],
	['INFO', 'auth', 'web-04', 'POST /login 401 in 95 ms', 401],
] as const

/** Returns a log as a search engine lists it: the newest rows first, and a field of each kind. */
export function fakeLogs(count = 300, newest = Date.UTC(2026, 10, 28, 8, 29, 26)): FakeTable {
	const rows = Array.from({ length: count }, (_, at): readonly Cell[] => {
		const [level, service, host, message, status] = kinds[at % kinds.length] ?? kinds[0]
		return [
			`ziZFIaIBZpkS3a5h2r${String(at).padStart(3, '0')}`,
			`logs-app-2026.11.${28 - (at % 2)}`,
			new Date(newest - at * 437).toISOString(),
			message,
			level,
			service,
			host,
			status,
			at % 5 === 1 ? fakeTrace : { missing: true },
			{ number: `12345678901234567${at}` },
			at % 3 === 0 ? '2.5.5' : { missing: true },
			{ json: '["a","b"]' },
		]
	})
	return new FakeTable('logs-app', {
		sort: [{ column: '@timestamp', direction: 'desc' }],
		columns: {
			_id: { type: '_id', isReadOnly: 'after_insert' },
			_index: { type: '_index', isReadOnly: true },
			'@timestamp': { kind: 'date', type: 'date' },
			message: { type: 'text', isSortable: false },
			level: { type: 'keyword' },
			'service.name': { type: 'keyword' },
			'host.name': { type: 'keyword' },
			'http.response.status_code': { kind: 'number', type: 'short' },
			'error.stack_trace': { type: 'text', isSortable: false },
			'trace.id': { kind: 'number', type: 'unsigned_long' },
			'service.version': { type: 'keyword' },
			labels: { kind: 'json', type: 'object', isSortable: false },
		},
		rows,
	})
}
