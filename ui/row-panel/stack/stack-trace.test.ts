import { expect, test } from 'vitest'
import { readStack, type Stack } from './stack-trace.ts'

const lines = (...all: readonly string[]) => all.join('\n')

/** The stack as a reader sees it while it is folded. */
function folded(stack: Stack | undefined): readonly string[] {
	if (!stack) return []
	const parts = stack.parts.map(part =>
		part.frames ? `${part.frames.length} frames of ${part.names.join(', ')}` : `${part.call} ${part.place}`.trim(),
	)
	return [stack.cause, ...parts, ...(stack.wrappers.length > 0 ? [`wrapped by ${stack.wrappers.join(', ')}`] : [])]
}

const java = lines(
	'jakarta.servlet.ServletException: Request processing failed: shop.CheckoutFailed',
	'\tat org.springframework.web.servlet.FrameworkServlet.processRequest(FrameworkServlet.java:1022)',
	'\tat org.apache.catalina.core.StandardWrapperValve.invoke(StandardWrapperValve.java:167)',
	'Caused by: shop.CheckoutFailed: payment was not taken',
	'\tat shop.CheckoutService.pay(CheckoutService.java:142)',
	'\tat shop.CheckoutController.post(CheckoutController.java:31)',
	'\t... 2 more',
	'Caused by: java.net.SocketTimeoutException: Read timed out',
	'\tat java.base/java.net.SocketInputStream.read(SocketInputStream.java:171)',
	'\tat okhttp3.internal.http.RealCall.execute(RealCall.java:80)',
	'\tat okhttp3.RealCall.execute(RealCall.java:81)',
	'\tat shop.PaymentClient.charge(PaymentClient.java:88)',
	'\t... 4 more',
)

test('a trace of Java begins with its last cause, and frames that it shares with the exception around it are its own', () => {
	const stack = readStack(java)
	expect(folded(stack)).toEqual([
		'java.net.SocketTimeoutException: Read timed out',
		'3 frames of java.net, okhttp3',
		'shop.PaymentClient.charge PaymentClient.java:88',
		'shop.CheckoutService.pay CheckoutService.java:142',
		'shop.CheckoutController.post CheckoutController.java:31',
		'2 frames of org.springframework, org.apache',
		'wrapped by CheckoutFailed, ServletException',
	])
	expect(stack?.count).toBe(8)
})

test('a message before a trace, with more lines, is a part of the cause', () => {
	const stack = readStack(lines('java.lang.Error: first', 'second', '\tat shop.A.b(A.java:1)', '\tat shop.A.c(A.java)'))
	expect(folded(stack)).toEqual(['java.lang.Error: first\nsecond', 'shop.A.b A.java:1', 'shop.A.c A.java'])
})

test('a trace of Python is turned round, so that the newest call is first, and the first error is the cause', () => {
	const stack = readStack(
		lines(
			'Traceback (most recent call last):',
			'  File "/app/shop/pay.py", line 12, in charge',
			'    return client.post(url)',
			'           ~~~~~~~~~~~^^^^^',
			'  File "/usr/lib/python3.12/site-packages/requests/api.py", line 115, in post',
			'    return request("post", url)',
			'  File "/usr/lib/python3.12/socket.py", line 9, in read',
			'TimeoutError: timed out',
			'',
			'The above exception was the direct cause of the following exception:',
			'',
			'Traceback (most recent call last):',
			'  File "/app/shop/main.py", line 3, in <module>',
			'    charge()',
			'shop.errors.CheckoutFailed: not paid',
		),
	)
	expect(folded(stack)).toEqual([
		'TimeoutError: timed out',
		'2 frames of Python, requests',
		'charge pay.py:12',
		'<module> main.py:3',
		'wrapped by CheckoutFailed',
	])
})

test('a trace of Node folds its modules and packages, and begins with the cause', () => {
	const stack = readStack(
		lines(
			'CheckoutFailed: not paid',
			'    at pay (file:///app/src/checkout.js:40:9)',
			'    at process.processTicksAndRejections (node:internal/process/task_queues:105:5) {',
			'  [cause]: TypeError: fetch failed',
			'      at node:internal/deps/undici/undici:13510:13',
			'      at async Client.send (/app/node_modules/@shop/client/index.js:3:4)',
			'      at async /app/src/payment.ts:7:3 {',
			"    code: 'ECONNRESET'",
			'  }',
			'}',
		),
	)
	expect(folded(stack)).toEqual([
		'TypeError: fetch failed',
		'2 frames of node, @shop/client',
		'payment.ts:7:3',
		'wrapped by CheckoutFailed',
	])
})

test('a trace of .NET begins with its inner exception', () => {
	const stack = readStack(
		lines(
			'Shop.CheckoutFailedException: not paid',
			' ---> System.Net.Http.HttpRequestException: Connection refused',
			'   at System.Net.Http.HttpConnectionPool.ConnectAsync(HttpRequestMessage request)',
			'   at Shop.PaymentClient.Charge(Order order) in /src/Shop/PaymentClient.cs:line 88',
			'   --- End of inner exception stack trace ---',
			'   at Shop.Checkout.Pay() in C:\\src\\Shop\\Checkout.cs:line 12',
			'   at Microsoft.AspNetCore.Mvc.Controllers.Invoke()',
		),
	)
	expect(folded(stack)).toEqual([
		'System.Net.Http.HttpRequestException: Connection refused',
		'1 frames of System.Net',
		'Shop.PaymentClient.Charge PaymentClient.cs:88',
		'Shop.Checkout.Pay Checkout.cs:12',
		'1 frames of Microsoft.AspNetCore',
		'wrapped by CheckoutFailedException',
	])
})

test('a panic of Go has a frame for each pair of lines', () => {
	const stack = readStack(
		lines(
			'panic: runtime error: index out of range [3] with length 3',
			'',
			'goroutine 18 [running]:',
			'shop/checkout.(*Service).Pay(0xc000010000, {0x1, 0x2})',
			'\t/app/checkout/service.go:42 +0x1d',
			'github.com/gin-gonic/gin.(*Context).Next(0xc0001)',
			'\t/root/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go:174 +0x2b',
			'net/http.(*conn).serve(0xc0001)',
			'\t/usr/local/go/src/net/http/server.go:2009 +0x5f4',
			'created by net/http.(*Server).Serve in goroutine 1',
			'\t/usr/local/go/src/net/http/server.go:3086 +0x5cb',
		),
	)
	expect(folded(stack)).toEqual([
		'panic: runtime error: index out of range [3] with length 3',
		'shop/checkout.(*Service).Pay service.go:42',
		'3 frames of github.com/gin-gonic/gin, net/http',
	])
})

test('the newest frame of a trace without own frames stays', () => {
	const stack = readStack(lines('java.lang.Error', '\tat java.util.A.b(A.java:1)', '\tat java.util.A.c(A.java:2)'))
	expect(folded(stack)).toEqual(['java.lang.Error', 'java.util.A.b A.java:1', '1 frames of java.util'])
})

test.each([
	'GET /api 200 in 3 ms',
	'line one\nline two\nline three',
	'we met at noon\nat the station (platform 3)',
	'',
])('a text that is no trace is none: %j', text => {
	expect(readStack(text)).toBeUndefined()
})

test('a long text that is almost a trace is read in linear time', () => {
	const text = `Error: a\n${'   at '.repeat(50_000)}\n${'\tat a.b(c:1)\n'.repeat(5_000)}`
	expect(readStack(text)?.count).toBe(5_000)
})
