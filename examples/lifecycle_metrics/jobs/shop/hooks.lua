function after_extract(items, ctx)
  ctx.shared.item_count = #items -- for on_finally, in defer.lua
  return items
end
