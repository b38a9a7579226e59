function on_finally()
  log("items: " .. (items_found or 0) .. ", bytes: " .. (bytes_read or 0))
  -- Reset for the next cycle: the VM, and so its globals, live on.
  items_found, bytes_read = nil, nil
end
