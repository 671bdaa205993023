"""What stands between the browser and open worlds: the worker thread, the JSON routes and their guard."""
