/** The method and the path of each endpoint of an API, `1` in the place of ids. `name` is in the place of other parameters. */
export function requestsTo(rows: Readonly<Record<string, readonly [string, ...unknown[]]>>, name = '1') {
  return Object.values(rows).map(([endpoint]): [method: string, path: string] => {
    const [method = '', path = ''] = endpoint.split(' ');
    return [method, path.replaceAll(/:\w*id\b/g, '1').replaceAll(/:\w+/g, name)];
  });
}
