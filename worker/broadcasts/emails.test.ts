import { expect, test } from 'vitest'
import { renderMarkdown } from './emails'

test.each([
  ['<script>alert(1)</script>', '&lt;script&gt;'],
  ['a <b onclick="x">b</b>', '&lt;b onclick=&quot;x&quot;&gt;'],
  ['[press](javascript:alert(1))', 'press'],
  ['[press](https://fan.example/?a="b)', '<a href="https://fan.example/?a=%22b" style="color:#7a5a12">press</a>'],
  ['![a "quote"](http://pictures.example/x.png)', 'a &quot;quote&quot;'],
  ['```\n<a> line\n```', '<pre style="white-space:pre-wrap"><code>&lt;a&gt; line</code></pre>'],
  ['![a](https://pictures.example/x.png)', '<img src="https://pictures.example/x.png" alt="a"'],
])('renders %s without unsafe HTML', (markdown, expected) => {
  const html = renderMarkdown(markdown)
  expect(html).toContain(expected)
  expect(html).not.toMatch(/<script|onclick="|href="javascript|src="http:/)
})
