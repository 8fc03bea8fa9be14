// @ts-nocheck: the program of the tests does not know the types of a browser.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'

/** An AI client that shows apps, with the extension's own class for hosts. Runs in the browser. */

/** The policy that the specification gives a page that names no address. */
const policy =
	"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

/** Shows an app in a frame without an origin, and waits until it is ready. */
globalThis.showApp = async (html, hostContext) => {
	const frame = document.createElement('iframe')
	frame.title = 'App'
	frame.sandbox.add('allow-scripts')
	frame.style.cssText = 'border: 0; display: block; width: 100%'
	document.body.replaceChildren(frame)
	document.documentElement.style.colorScheme = hostContext.theme
	const bridge = new AppBridge(
		null,
		{ name: 'host-page', version: '1' },
		{ serverTools: {}, openLinks: {} },
		{ hostContext },
	)
	bridge.oncalltool = params => globalThis.callTool(params)
	bridge.onsizechange = ({ height }) => {
		frame.style.height = `${height}px`
	}
	const ready = new Promise(resolve => {
		bridge.oninitialized = resolve
	})
	await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
	frame.srcdoc = html.replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`)
	await ready
	globalThis.bridge = bridge
}
