"""The official Python SDK as a program: see programs.ts for what it reads and prints."""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.types import ElicitResult

reach = json.loads(os.environ["ROUNDHOUSE_REACH"])
consents = True


async def elicit(_context, _params):
    if not consents:
        await asyncio.sleep(3600)
    return ElicitResult(action="accept", content={"approved": True})


def server():
    if "url" not in reach:
        return StdioServerParameters(command=reach["command"], args=reach["args"], env=reach["env"])
    client = create_mcp_http_client(headers={"Authorization": f"Bearer {reach['token']}"})
    return streamable_http_client(reach["url"], http_client=client)


async def do(client, asked):
    global consents
    if asked["do"] == "list":
        return [tool.name for tool in (await client.list_tools()).tools]
    consents = asked["consents"]
    call = client.call_tool(asked["name"], asked["args"])
    result = await asyncio.wait_for(call, asked["seconds"])
    return {"isError": bool(result.is_error), "text": result.content[0].text}


async def main():
    loop = asyncio.get_running_loop()
    async with Client(server(), elicitation_callback=elicit) as client:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            try:
                answer = {"value": await do(client, json.loads(line))}
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), flush=True)


asyncio.run(main())
