import { defineErrors } from '../base/errors.ts'

/** Why no connection was opened for a driver. The driver's own error says what that means for the person. */
export const networkErrors = defineErrors('network', {
	forbidden: 'No driver may reach {address}: {reason}.',
	not_allowed: '{driver} was not allowed to reach {address}.',
	nobody_to_ask:
		'{driver} wants to reach {address}, which the connection does not name, and nobody was there to allow it. Open Roundhouse’s window and try again.',
	too_many_questions:
		'{driver} asks for more addresses than anybody could answer, so nobody was asked for {address}. Name it in the connection, or close the connection and open it again.',
	no_network: '{driver} has said that it needs no network, so it reaches nothing.',
	proxy_invalid: 'The proxy {proxy} cannot be used: write http://host:port, socks5://host:port or socks4://host:port.',
	proxy_refused: 'The proxy {proxy} did not open a way to {address}: {reason}.',
})
