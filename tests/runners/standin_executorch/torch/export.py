def export(model):
    return model
