"""The house rules as programs; see tools/check_house.py."""
