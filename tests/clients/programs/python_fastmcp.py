"""fastmcp as a program: see programs.ts for what it reads and prints."""

import asyncio
import json
import os
import sys

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport

reach = json.loads(os.environ["ROUNDHOUSE_REACH"])
consents = True


async def elicit(_message, _response_type, _params, _context):
    if not consents:
        await asyncio.sleep(3600)
    return {"approved": True}


def transport():
    if "url" in reach:
        return StreamableHttpTransport(reach["url"], headers={"Authorization": f"Bearer {reach['token']}"})
    return StdioTransport(reach["command"], reach["args"], env=reach["env"])


async def do(client, asked):
    global consents
    if asked["do"] == "list":
        return [tool.name for tool in await client.list_tools()]
    consents = asked["consents"]
    call = client.call_tool(asked["name"], asked["args"], raise_on_error=False)
    result = await asyncio.wait_for(call, asked["seconds"])
    return {"isError": bool(result.is_error), "text": result.content[0].text}


async def main():
    loop = asyncio.get_running_loop()
    async with Client(transport(), elicitation_handler=elicit) as client:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            try:
                answer = {"value": await do(client, json.loads(line))}
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)


asyncio.run(main())
